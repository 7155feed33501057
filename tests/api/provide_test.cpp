// Giving a session the file it waits for, through the C interface.
#include "api/attached.h"
#include "support/catch.h"

using namespace attn;
using namespace attn::test;
using attn::api::Code;

TEST_CASE("a page hears which file the session waits for, gives it, and the lesson opens") {
  Attached attached;
  CHECK(state()["waiting"] == "");
  const unsigned before = attn_revision();
  REQUIRE(attn_open("translate") == static_cast<int>(Code::ok));
  CHECK(attn_revision() > before);
  CHECK(state()["waiting"] == "models/translator.safetensors");
  CHECK(state()["lesson"] == lessons::Session::open(sample_lesson()).value().lesson().slug);
  REQUIRE(provide(translator_file()) == Code::ok);
  CHECK(state()["waiting"] == "");
  CHECK(state()["lesson"] == "translate");
}

TEST_CASE("a file that can't be had or can't be read is said, and nothing has changed") {
  Attached attached;
  REQUIRE(attn_open("translate") == static_cast<int>(Code::ok));
  CHECK(attn_provide(nullptr, 0) == static_cast<int>(Code::ok));
  CHECK(state()["waiting"] == "");
  REQUIRE(attn_open("translate") == static_cast<int>(Code::ok));
  CHECK(provide({1, 2, 3}) == Code::refused);
  CHECK(std::string(attn_last_error()) != "");
  CHECK(std::string(attn_last_refusal()).find("权重") != std::string::npos);
  CHECK(state()["waiting"] == "");
  CHECK(attached.host.session.lesson().slug == std::string(sample_lesson().slug));
}

TEST_CASE("a file for nobody is not ready") {
  CHECK(attn_provide(nullptr, 0) == static_cast<int>(Code::not_ready));
}
