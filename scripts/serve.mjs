// A static file server for the built site, on 127.0.0.1 only.
//
//   node scripts/serve.mjs <folder> [--port N]     serves until it is stopped; without --port on a free port
//   import {serve} from '.../serve.mjs'            for tests: {url, close} = await serve(folder)
import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const kTypes = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.safetensors': 'application/octet-stream',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

// The file that a request path names, or null when the path leaves the folder or can't be decoded.
function resolve(folder, requestUrl) {
  let name;
  try {
    name = decodeURIComponent(new URL(requestUrl, 'http://localhost').pathname);
  } catch {
    return null;
  }
  if (name.includes('\0')) return null;
  const file = path.join(folder, name.endsWith('/') ? `${name}index.html` : name);
  return file.startsWith(folder + path.sep) ? file : null;
}

// Serves `folder`; port 0 takes a free one. Resolves to {url, close()}; rejects when the port is taken.
export function serve(folder, port = 0) {
  const root = path.resolve(folder);
  const server = createServer(async (request, response) => {
    const fail = (status) => response.writeHead(status, {'content-type': 'text/plain'}).end(`${status}\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD') return fail(405);
    const file = resolve(root, request.url);
    const found = file && (await stat(file).catch(() => null));
    if (!found?.isFile()) return fail(404);
    response.writeHead(200, {
      'content-type': kTypes[path.extname(file)] ?? 'application/octet-stream',
      'content-length': found.size,
      'cache-control': 'no-cache',
    });
    if (request.method === 'HEAD') return response.end();
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
  });
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      const close = () =>
        new Promise((closed) => {
          server.close(closed);
          server.closeAllConnections();
        });
      done({url: `http://127.0.0.1:${server.address().port}/`, close});
    });
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, ...rest] = process.argv.slice(2);
  const port = rest[0] === '--port' ? Number(rest[1]) : 0;
  try {
    const {url} = await serve(folder, port);
    console.log(`Attention Playground: ${url}   (Ctrl-C stops it)`);
  } catch (error) {
    console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use; leave out --port for a free one.` : error);
    process.exitCode = 1;
  }
}
