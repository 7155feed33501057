#include "training/grammar_tables.h"

namespace attn::training {

std::string_view grammar_rules() {
  return R"(
W third,one,x,ask,owned,mine : D:one K:kin = D K
W third,one,x,ask,owned,other : D:one K:other = D 的 K
W third,one,x,ask,owned,other : D:many K:other = D 的 K
W third,one,x,ask,owned : D:many K:kin = D 的 K
Y : Q the L = L Q
X subject : N.any:subject = N
X play : N.any:sport = N
X play : V.ing:play N.any:sport = V N
X act : I.ing:topic = I
X act : learning N.any:language = 学 N
X act : learning machine learning = 学机器学习

130+40 S like/likes N.any:like = S 喜欢 N.use N
130+40 S love/loves N.any:like = S 爱 N.use N
80+20 S do/does not like N.any:like = S 不喜欢 N.use N
80+30 do/does S:ask like N.any:like = S 喜欢 N.use N 吗
all who likes N.any:like = 谁喜欢 N.use N
20+5 why do/does S:ask like N.any:like = S 为什么喜欢 N.use N
30+10 S also like/likes N.any:like = S 也喜欢 N.use N
all+10 S like/likes C.to:city = S 喜欢 C
all+10 S like/likes I.ing:topic = S 喜欢 I
20+6 do/does S:ask like I.ing:topic = S 喜欢 I 吗
24+6 S do/does not like I.ing:topic = S 不喜欢 I

120+150 S V/V.third:daily N.any = S V N
170+180 S B V/V.third:daily N.any = S B V N
90+110 S V/V.third:daily N.any every day = S 每天 V N
70+20 S do/does not V:daily N.any = S 不 V N
70+20 do/does S:ask V:daily N.any = S V N 吗
120+40 S am/is/are V.ing:prog N.any = S 在 V N
120+60 S am/is/are V.ing:prog a N = S 在 V N
60+20 am/is/are S:ask V.ing:prog N.any = S 在 V N 吗
50+10 S am/is/are not V.ing:prog N.any = S 没在 V N
all+12 what am/is/are S:ask V.ing:asked = S 在 V 什么
all+12 what do/does S:ask V:asked = S V 什么
90+20 S want/wants to V:daily N.any = S 想 V N
60+20 S can V:skill N.any = S 会 V N
50+12 S cannot V:skill N.any = S 不会 V N
50+12 can S:ask V:skill N.any = S 会 V N 吗
60+16 S should V:daily N.any = S 应该 V N
50 S will V:daily N.any tomorrow = S 明天要 V N
all let us V:offer N.any = 我们 V N 吧
all please V:offer N.any = 请 V N
24 do not V:offer N.any = 别 V N
120+80 S V.past:offer N.any yesterday = S 昨天 V N 了
60+16 did S:ask V:offer N.any = S V N 了吗
60+16 S did not V:offer N.any = S 没 V N

all+80 S I/I.third every day = S 每天 I
110+120 S B I/I.third = S B I
all+16 S am/is/are I.ing = S 在 I
40+10 am/is/are S:ask I.ing = S 在 I 吗
40+10 S am/is/are not I.ing = S 没在 I
40+10 why am/is/are S:ask I.ing = S 为什么在 I
60+16 S am/is/are I.ing:spot C.at = S C.in I
90+80 S I/I.third:spot C.at = S C.in I
50+12 S want/wants to I:plan = S 想 I
30 S do/does not want to I:plan = S 不想 I
20+6 do/does S:ask want to I:plan = S 想 I 吗
all+10 S can I:skill = S 会 I
all+10 S cannot I:skill = S 不会 I
all+10 can S:ask I:skill = S 会 I 吗
40+10 S should I:plan = S 应该 I
all let us I:plan = 我们 I 吧
all please I:plan = 请 I
all do not I = 别 I
all+60 S I.past yesterday = S 昨天 I 了
80+30 S I.past:spot C.at yesterday = S 昨天 C.in I 了
40+12 did S:ask I yesterday = S 昨天 I 了吗
30+8 S did not I yesterday = S 昨天没 I
40+8 S will I:plan tomorrow = S 明天要 I

all X is fun = X 真好玩
70 X is F:hen = X 很 F
40 X is very F:hen = X 非常 F
40 X is not F = X F.not
40 is X F = X F 吗
40+24 S think/thinks X is F = S 觉得 X 很 F
20 do/does S:ask think X is F = S 觉得 X F 吗

all+20 S am/is/are A:person = S 很 A
40+10 S am/is/are very A:person = S 非常 A
40+10 S am/is/are not A:person = S A.not
40+10 S am/is/are too A:person = S 太 A 了
40+10 am/is/are S:ask A:person = S A 吗
40+12 S was/was/were A:person yesterday = S 昨天很 A
30+8 S was/was/were not A:person yesterday = S 昨天 A.not
24+6 was/was/were S:ask A:person yesterday = S 昨天 A 吗
50+12 S am/is/are B:mood A:person = S B 很 A
all+6 why am/is/are S:ask A:why = S 为什么 A
all+30 S:one am/is/are a R = S 是 R
all+all S:many are R.any = S 是 R
all+16 S:one am/is/are not a R = S 不是 R
all+all S:many are not R.any = S 不是 R
20+16 am/is/are S:one,ask a R = S 是 R 吗
all+all are S:many R.any = S 是 R 吗
all S:one want/wants to be a R = S 想当 R
all S:many want to be R.any = S 想当 R
all who am/is/are S = S 是谁
all who is W:other = W 是谁
all S:third is D K:other = S 是 D 的 K
20 is S:third D K:other = S 是 D 的 K 吗
20 S:third is not D K:other = S 不是 D 的 K
30 this is W:owned = 这是 W
20 is this W:owned = 这是 W 吗

110 M N is A = M N.m N 很 A
70 M N is very A = M N.m N 非常 A
60 M N is not A = M N.m N A.not
60 M N is too A = M N.m N 太 A 了
60 is M N A = M N.m N A 吗
40 D N:own is A = D 的 N 很 A
30 is D N:own A = D 的 N A 吗
all the N.any:mass is A = N 很 A
all the N.any:mass is too A = N 太 A 了
all is the N.any:mass A = N A 吗
all the N.any:mass is not A = N A.not
70 these N.any:whole are A = 这些 N 很 A
70 those N.any:whole are A = 那些 N 很 A
all these N.any:pair are A = 这些 N 很 A
all those N.any:pair are A = 那些 N 很 A
120 M A.en:look N is A2:state = M N.m A.attr N 很 A2

all this is a N = 这是一 N.m N
all that is a N = 那是一 N.m N
all that is not a N = 那不是 N
all is this a N = 这是一 N.m N 吗
50 this is a A:look N = 这是一 N.m A.attr N
24 this is D N:own = 这是 D 的 N
20 is that D N:own = 那是 D 的 N 吗
20 that is not D N:own = 那不是 D 的 N
30 these are D N.any:own = 这些是 D 的 N
all whose N:own is this = 这是谁的 N
all whose N.any:own are these = 这些是谁的 N
all what is this = 这是什么
all what is that = 那是什么

80+24 S have/has a N:own = S 有一 N.m N
120+30 S have/has T N.any:own = S 有 T N.m N
80+10 S have/has a A:look N:own = S 有一 N.m A.attr N
30 S do/does not have a N:own = S 没有 N
40+10 do/does S:ask have a N:own = S 有 N 吗
all do/does S:ask have N.any:stock = S 有 N 吗
12 S do/does not have N.any:stock = S 没有 N
40 how many N.any:own do/does S:ask have = S 有几 N.m N
40+10 S want/wants a N:own = S 想要一 N.m N
40+12 S need/needs a N:own = S 需要一 N.m N
40 S want/wants to buy a N:buy = S 想买一 N.m N
12+6 S want/wants N.any:drink = S 想喝 N

120+40 S V.past:new a N = S V 了一 N.m N
40+16 S saw a N:sight = S 看见了一 N.m N
30+16 S bought a N:buy = S 买了一 N.m N
30+10 S found a N:lost = S 找到了一 N.m N
60 S V.past:new a N yesterday = S 昨天 V 了一 N.m N
20 S saw a N:sight yesterday = S 昨天看见了一 N.m N
60+10 S saw a A:look N:sight = S 看见了一 N.m A.attr N
60+10 S bought a A:look N:buy = S 买了一 N.m A.attr N
40+10 S saw T N.any:sight = S 看见了 T N.m N
50+10 S V.past:plenty T N.any = S V 了 T N.m N
40 did S:ask V:notice D N:own = S V D 的 N 了吗
20 S did not V:notice D N:own = S 没 V D 的 N
30 S V.past:notice D N:own = S V D 的 N 了
50+10 S V.past:notice the N:whole = S V 那 N.m N 了

120 the N:move is Y = N 在 Y
60 is the N:move Y = N 在 Y 吗
70 D N:move is Y = D 的 N 在 Y
all where is the N:move = N 在哪里
24 where is D N:own = D 的 N 在哪里
40 where are D N.any:own = D 的 N 在哪里
50 there are N.any:animal,move Y = Y 有 N
all there is N.any:stock on the table = 桌子上有 N
all there is N.any:stock at home = 家里有 N
all there is a N:pet here = 这里有一 N.m N
24 there are T N.any:animal here = 这里有 T N.m N
all where am/is/are S = S 在哪里
all+16 S am/is/are C.at = S C.in
30+10 am/is/are S:ask C.at = S C.in 吗
30+10 S am/is/are not C.at = S 不 C.in
all+12 where do/does S:ask live = S 住在哪里
all+12 where do/does S:ask work = S 在哪里工作
all+20 S live/lives C.at:city = S 住 C.in
all+20 S work/works C.at:job = S C.in 工作
16+8 do/does S:ask work C.at:job = S C.in 工作吗
all do/does S:ask live C.at:city = S 住 C.in 吗

all S go/goes to C.to every day = S 每天去 C
24 S often go/goes to C.to = S 常常去 C
30+8 S went to C.to yesterday = S 昨天去了 C
30+8 S went to C.to = S 去了 C
24+8 did S:ask go to C.to = S 去 C 了吗
16 S did not go to C.to = S 没去 C
16 S want/wants to go to C.to = S 想去 C
16 S will go to C.to tomorrow = S 明天要去 C
30+8 S should go to C.to = S 应该去 C
all let us go to C.to = 我们去 C 吧

50+16 S gave O a N:gift = S 给了 O 一 N.m N
24 please give O:give a N:gift = 请给 O 一 N.m N
24 please give O:give the N:gift = 请把 N 给 O
30 please give O:give D N:gift = 请把 D 的 N 给 O

120+50 S J/J.third O = S J O
60+12 S do/does not J O = S 不 J O
60+12 do/does S:ask J O = S J O 吗
all who J.third O = 谁 J O
30+12 S also J/J.third O = S 也 J O
20 why do/does S:ask J O = S 为什么 J O
40 S J/J.third W:mine = S J W
24+8 S saw O yesterday = S 昨天看见 O 了
16+8 did S:ask see O = S 看见 O 了吗
24+8 S did not see O = S 没看见 O
24+8 S can help O = S 能帮助 O
24+8 can S help O = S 能帮助 O 吗
20+8 S want/wants to help O = S 想帮助 O
20+8 S want/wants to see O = S 想见 O
all+12 S am/is/are waiting for O = S 在等 O
16+8 am/is/are S:ask waiting for O = S 在等 O 吗
all please help O:give = 请帮助 O
all please wait for O:give = 请等 O
20 S should help O = S 应该帮助 O
20 S should wait for O = S 应该等 O
all do not wait for O:give = 别等 O

60+20 S am/is/are G than O = S 比 O G
30 S am/is/are not G than O = S 没有 O G
30+8 am/is/are S:ask G than O = S 比 O G 吗
all who is G than O = 谁比 O G

all it is H today = 今天很 H
all it is very H today = 今天非常 H
all it is not H today = 今天不 H
all it is too H today = 今天太 H 了
all is it H today = 今天 H 吗
all it was H yesterday = 昨天很 H
all it was very H yesterday = 昨天非常 H
all it was not H yesterday = 昨天不 H
all it is H here = 这里很 H
all it is very H here = 这里非常 H
all is it H here = 这里 H 吗
all it is H C.at:city = C 很 H
all it is very H C.at:city = C 非常 H
all it is not H C.at:city = C 不 H
all is it H C.at:city = C H 吗
)";
}

}  // namespace attn::training
