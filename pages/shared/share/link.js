// @ts-check
/**
 * The address of this page in a field, and a button that copies it: by the clipboard where the browser lets a page use it
 * (https, localhost), else by the selected field, else by hand.
 *
 * @param {{ parentElement: HTMLElement | ShadowRoot, data: { copy: string, copied: string, by_hand: string, address: string, aside: string[] } }} component
 */
export default function ({ parentElement, data }) {
  if (parentElement.querySelector(".link")) return;
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
  row.append(field, button, said);
  parentElement.append(row);
  // sliders change the address without drawing this anew
  const look = () => {
    const address = new URL(location.href);
    // nothing differs: whoever opens it may have set something else here, and shall see what is seen here
    if ([...address.searchParams.keys()].every((name) => data.aside.includes(name))) address.searchParams.set("settings", "usual");
    field.value = address.href;
  };
  look();
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
