// @ts-check
/**
 * The address of this page in a field, and a button that copies it: by the clipboard where the browser lets a page use it
 * (https, localhost), else by the selected field, else by hand.
 *
 * @param {{ parentElement: HTMLElement | ShadowRoot, data: { copy: string, copied: string, by_hand: string, address: string, aside: string[], said: string[] } }} component
 */
export default function ({ parentElement, data }) {
  const drawn = parentElement.querySelector(".link");
  if (drawn) return void drawn.dispatchEvent(new CustomEvent("said", { detail: data.said }));
  let sentences = data.said;
  const row = document.createElement("div");
  row.className = "link";
  const field = document.createElement("input");
  field.readOnly = true;
  field.setAttribute("aria-label", data.address);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = data.copy;
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  const words = document.createElement("p");
  row.append(field, button, said, words);
  parentElement.append(row);
  // sliders change the address without drawing this anew
  const look = () => {
    const address = new URL(location.href);
    // the address says what differs from the usual, and nothing else
    const count = [...new Set(address.searchParams.keys())].filter((name) => !data.aside.includes(name)).length;
    words.textContent = sentences[Math.min(count, 2)].replace("{}", String(count));
    // nothing differs: whoever opens it may have set something else here, and shall see what is seen here
    if (count === 0) address.searchParams.set("settings", "usual");
    field.value = address.href;
  };
  look();
  row.addEventListener("said", (event) => ((sentences = event.detail), look()));
  row.addEventListener("pointerenter", look);
  field.addEventListener("focus", () => (look(), field.select()));
  button.addEventListener("click", async () => {
    look();
    let done = true;
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.focus();
      field.select();
      done = document.execCommand("copy");
    }
    said.textContent = done ? data.copied : data.by_hand;
  });
}
