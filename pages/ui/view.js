// The view of one place on a page. Its code comes in a message of its own: this stub travels with every change, and is short.
export default function (component) {
  const store = (globalThis.__kernex ??= { blobs: new Map(), views: new Set() });
  let end = null, gone = false;
  const begin = () => { if (!gone) end = store.show(component); };
  if (store.show) begin();
  else (store.waiting ??= []).push(begin);
  return () => { gone = true; end?.(); };
}
