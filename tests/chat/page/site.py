"""Another site, on an origin of its own: a hospital's website that holds a script tag."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Site:
    """A real server on this machine: a browser looks at where a page comes from."""

    def __init__(self, host):
        self.tag = ""
        site = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self):
                body = site.html().encode() if self.path == "/" else b""
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.origin = f"http://{host}:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def html(self):
        return f"""<!doctype html><html lang=nl><head><meta charset=utf-8>
            <meta name=viewport content="width=device-width"><title>Website</title></head>
            <body><main><h1>Website van het ziekenhuis</h1><p><a href="#top">Een link</a></p>
            </main>{self.tag}</body></html>"""

    def close(self):
        self.server.shutdown()
        self.server.server_close()
