"""What a visitor does on the page, and what a poor line does to the page."""

import json

VISITING = "Wat zijn de bezoekuren?"
#: A question that is answered with what a page says.
QUOTED = "Kan ik met mijn rolstoel binnen in campus Oever?"
LONG_DISEASES = "Welke artsen werken bij Longziekten?"
CHEST_PAIN = "Mijn man heeft nu hevige pijn op de borst en zweet erg"
DOSE = "Hoeveel paracetamol mag mijn kind van 12 kg krijgen?"


def ask(page, question):
    page.get_by_role("textbox", name="Uw vraag").fill(question)
    page.keyboard.press("Enter")


def answers(page):
    """Return the answers that are finished."""
    return page.locator(".exchange:has(.tools)")


class Line:
    """The socket between a page and the server: everything passes, until something is held."""

    def __init__(self):
        self.holds = set()
        self.held = []
        self.page_side = None

    def prepare(self, page):
        page.route_web_socket("**/ws/chat/**", self.connect)

    def connect(self, page_side):
        self.page_side = page_side
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)
        server_side.on_message(self.pass_on)

    def pass_on(self, frame):
        if json.loads(frame)["type"] in self.holds:
            self.held.append(frame)
        else:
            self.page_side.send(frame)

    def release(self):
        self.holds = set()
        for frame in self.held:
            self.page_side.send(frame)
        self.held = []

    def says(self, **frame):
        """Tell the page something as the server would."""
        self.page_side.send(json.dumps(frame))
