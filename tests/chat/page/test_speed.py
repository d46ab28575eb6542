"""The first visit on a throttled phone: what is transferred, and when there is something to read and do.

`make page-speed` prints the figures. The server is the product's own, without a proxy before it.
"""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.alone]

#: Kilobytes and milliseconds (issue 7).
MOST_KILOBYTES, LATEST_PAINT, LATEST_INPUT = 150, 1_000, 1_500
#: Lighthouse's "slow 4G": what a phone far from its mast gets, and how slow the phone itself is.
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_638_400 / 8,
    "uploadThroughput": 750_000 / 8,
}
SLOWER_CPU = 4
VISITS = 5
#: A word without any markup, and the milliseconds until it is painted where nothing else runs: the
#: journey, and a little.
PLAIN, PAINTED_AT_BEST = "/health/live", 220

OBSERVE = """
window.longTasks = [];
new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.startTime + task.duration)))
  .observe({ type: "longtask", buffered: true });
"""
#: The script has run (DOMContentLoaded comes after modules), and no long task came after it.
FIGURES = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  return { html: page.responseEnd, paint, input: Math.max(paint, page.domContentLoadedEventEnd, ...longTasks) };
}"""


def visit_once(browser, address, path):
    """Visit a page as somebody who was never there before."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        device_scale_factor=3,
        is_mobile=True,
        has_touch=True,
        locale="nl-BE",
    )
    page = context.new_page()
    page.add_init_script(OBSERVE)
    tools = context.new_cdp_session(page)
    transferred = []
    tools.on("Network.loadingFinished", lambda told: transferred.append(told["encodedDataLength"]))
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", SLOW_4G)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_CPU})
    page.goto(f"{address}{path}", wait_until="load")
    page.wait_for_timeout(2_000)
    figures = page.evaluate(FIGURES) | {
        "kilobytes": sum(transferred) / 1_000,
        "requests": len(transferred),
    }
    context.close()
    return figures


@pytest.mark.parametrize("path", ["/", "/?language=el", "/zoek?q=Wat zijn de bezoekuren?"])
def test_a_first_visit_is_light_and_quick(browser, address, path, capsys):
    visits, plain = [], []
    for _ in range(VISITS):
        visits.append(visit_once(browser, address, path))
        plain.append(visit_once(browser, address, PLAIN)["paint"])

    median = {name: sorted(visit[name] for visit in visits)[VISITS // 2] for name in visits[0]}
    floor = sorted(plain)[VISITS // 2]
    told = ", ".join(f"{name} {value:.0f}" for name, value in median.items())
    with capsys.disabled():
        print(f"\n{path}: {told}; a plain word after {floor:.0f}")  # noqa: T201 (to be read)
    # A machine that is busy with other things is slow at everything, in proportion.
    busy = max(1.0, floor / PAINTED_AT_BEST)
    assert median["kilobytes"] <= MOST_KILOBYTES
    assert median["paint"] <= LATEST_PAINT * busy
    assert median["input"] <= LATEST_INPUT * busy
