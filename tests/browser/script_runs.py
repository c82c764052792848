"""When a page has settled: runs of the script are counted in the browser, by the messages that ask for and end them.

What the page shows cannot tell: its mark `data-test-script-state` says "notRunning" both before a run has begun and
after it has ended, and a click returns before the run that it asks for begins.
"""

import json
from contextlib import contextmanager

from playwright.sync_api import TimeoutError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

FIELDS = {
    "ask": BackMsg.RERUN_SCRIPT_FIELD_NUMBER,
    "begin": ForwardMsg.NEW_SESSION_FIELD_NUMBER,
    "end": ForwardMsg.SCRIPT_FINISHED_FIELD_NUMBER,
    "again": ForwardMsg.FINISHED_EARLY_FOR_RERUN,
}

# Only the tags of a message's outermost fields are read; nothing is decoded.
WATCH = """
(() => {
    const FIELDS = $FIELDS;
    const runs = window.scriptRuns = {asked: 0, begun: 0, ended: 0, state: "none", calm: 0};

    function* fields(bytes) {
        let at = 0;
        const number = () => {
            let value = 0, scale = 1, byte;
            do {
                byte = bytes[at++];
                value += (byte & 127) * scale;
                scale *= 128;
            } while (byte & 128);
            return value;
        };
        while (at < bytes.length) {
            const tag = number();
            const kind = tag % 8;
            const value = kind === 0 || kind === 2 ? number() : 0;
            at += {0: 0, 1: 8, 2: value, 5: 4}[kind];
            yield [Math.floor(tag / 8), value];
        }
    }

    function sent(bytes) {
        for (const [field] of fields(bytes)) {
            if (field === FIELDS.ask) {
                runs.asked += 1;
                runs.state = "asked";
            }
        }
    }

    function received(bytes) {
        for (const [field, value] of fields(bytes)) {
            if (field === FIELDS.begin) {
                runs.begun += 1;
                runs.state = "begun";
            } else if (field === FIELDS.end && runs.state === "begun") {
                // an early end: the script asked for another run itself, or another one takes its place
                runs.ended += 1;
                runs.state = value === FIELDS.again ? "asked" : "ended";
            }
        }
    }

    window.WebSocket = class extends WebSocket {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", message => {
                runs.calm = 0;
                received(new Uint8Array(message.data));
            });
        }
        send(data) {
            runs.calm = 0;
            sent(data);
            super.send(data);
        }
    };
})();
""".replace("$FIELDS", json.dumps(FIELDS))

# Three frames without a message: the page has taken in the last one and is drawn. Frames are asked for then only: each one
# makes the browser draw, and to ask for them all the while takes a twentieth of a processor.
SETTLED = """
async () => {
    const isSettled = () => {
        const app = document.querySelector("[data-testid=stApp]");
        return scriptRuns.state === "ended"
            && app?.dataset.testScriptState === "notRunning"
            && app.dataset.testConnectionState === "CONNECTED"
            && !document.querySelector("[data-testid=stSkeleton], [data-stale=true]")
            && [...document.querySelectorAll("[data-testid=stPlotlyChart]")].every(it => it.querySelector(".main-svg"));
    };
    scriptRuns.calm = 0;
    while (scriptRuns.calm <= 3) {
        const settled = isSettled();
        scriptRuns.calm = settled ? scriptRuns.calm + 1 : 0;
        await new Promise(next => settled ? requestAnimationFrame(next) : setTimeout(next, 30));
    }
    return true;
}
"""

# what `SETTLED` waits for, in the words of a test that failed
UNSETTLED = """
() => ({
    ...scriptRuns,
    app: {...document.querySelector("[data-testid=stApp]")?.dataset},
    skeletons: document.querySelectorAll("[data-testid=stSkeleton]").length,
    stale: [...document.querySelectorAll("[data-stale=true]")]
        .map(it => `${it.dataset.testid} ${it.innerText.slice(0, 60)}`),
    undrawn: [...document.querySelectorAll("[data-testid=stPlotlyChart]")]
        .filter(it => !it.querySelector(".main-svg")).length,
})
"""

GO = "address => (history.pushState(null, '', address), dispatchEvent(new PopStateEvent('popstate')))"
"""To another page, as by a link of the app: what is loaded stays."""


def watch(page):
    """Count the runs of every script that this page will show; to be called before it is opened."""
    page.add_init_script(WATCH)


def settle(page):
    """Wait until every run that was asked for has ended and what it left is drawn.

    A widget that waits a moment for more keys (a slider) has not asked yet: see `rerunning`. Messages do not say which
    request a run answers: of two requests on their way at once, it could be the first one's run that has ended.
    """
    try:
        page.wait_for_function(SETTLED)
    except TimeoutError as error:
        raise AssertionError(f"The page does not settle: {page.evaluate(UNSETTLED)}") from error


@contextmanager
def rerunning(page):
    """Wait, after what is done inside, for the run that it asks for, those that follow from it, and the drawing."""
    settle(page)
    before = page.evaluate("scriptRuns.asked")
    yield
    page.wait_for_function("before => scriptRuns.asked > before", arg=before)
    settle(page)


@contextmanager
def dragging(page, name, to):
    """Drag the thumb in a picture to a share of its way, stay there for what is looked at, then let it go.

    Yields how many pictures were drawn on the way.
    """
    thumb = page.get_by_role("slider", name=name)
    thumb.scroll_into_view_if_needed()
    box, frames = thumb.bounding_box(), "[...__kernex.views].find(v => v.root.isConnected).frames ?? 0"
    start, before = thumb.evaluate("it => (it.value - it.min) / (it.max - it.min)"), page.evaluate(frames)
    y, left, way = box["y"] + box["height"] / 2, box["x"] + 8, box["width"] - 16
    page.mouse.move(left + start * way, y)
    page.mouse.down()
    for step in range(1, 21):
        page.mouse.move(left + (start + (to - start) * step / 20) * way, y)
        page.wait_for_timeout(16)
    yield page.evaluate(frames) - before
    with rerunning(page):
        page.mouse.up()


def click(target):
    """Click on something that makes the script run, and wait for its end."""
    with rerunning(target.page):
        target.click()
