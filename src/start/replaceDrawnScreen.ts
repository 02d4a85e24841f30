const LOOK_AGAIN_MS = 20

/**
 * The app's first screen stands: it takes the place of the one the build drew (rule 18.2), with what was typed there, the focus
 * and the caret, and carries out a press of the button or of a link in the form (boot.ts). It waits for the end of a composition, or an
 * input method would lose the word it is at, and until no finger is down, or its click would be lost. Meanwhile it stays out of the
 * page: whatever reads that, a password manager for one, would find two logins.
 */
export function replaceDrawnScreen(root: HTMLElement): void {
  const first = document.getElementById('first')
  if (!first) return
  const { composing, pressing } = document.documentElement.dataset
  if (composing !== undefined || pressing !== undefined) {
    root.remove()
    setTimeout(() => replaceDrawnScreen(root), LOOK_AGAIN_MS)
    return
  }
  const focused = document.activeElement
  if (!root.isConnected) first.after(root)
  root.hidden = false
  for (const field of first.querySelectorAll('input')) carryValue(field, root)
  if (focused && first.contains(focused)) carryFocus(focused, root)
  const pressed = first.querySelector('[data-pressed]')
  first.remove()
  // React has what was typed by the next task.
  if (pressed) setTimeout(() => carryPress(pressed, root))
}

/** The same field in the app. The drawn ones have neither name nor id of it. */
const fieldLike = (field: HTMLInputElement, root: Element) =>
  root.querySelector<HTMLInputElement>(`input[autocomplete="${field.autocomplete}"]`)

function carryValue(field: HTMLInputElement, root: Element) {
  const heir = fieldLike(field, root)
  if (!heir || field.value === '') return
  // Past React's own setter, which would take the value for one that it has set.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(heir, field.value)
  heir.dispatchEvent(new Event('input', { bubbles: true }))
}

function carryFocus(focused: Element, root: Element) {
  if (focused instanceof HTMLInputElement) {
    const heir = fieldLike(focused, root)
    if (heir) carryCaret(focused, heir)
    return
  }
  elementLike(focused, root)?.focus()
}

function carryPress(pressed: Element, root: Element) {
  if (pressed instanceof HTMLFormElement) root.querySelector('form')?.requestSubmit()
  else elementLike(pressed, root)?.click()
}

const elementLike = (drawn: Element, root: Element) =>
  [...root.querySelectorAll<HTMLElement>(drawn.tagName)].find((one) => nameOf(one) === nameOf(drawn))

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

function carryCaret({ selectionStart, selectionEnd, selectionDirection }: HTMLInputElement, heir: HTMLInputElement) {
  const { type } = heir
  heir.focus()
  // A field for an email has no caret to set.
  heir.type = 'text'
  heir.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined)
  heir.type = type
}
