/*
 * Runs before the first paint. The build writes it into each page (prerender/layoutPages.ts), where the server's CSP names it by its
 * hash: there is no file of it that a connection could lose.
 */
import { chooseView, isOneOf } from './firstView.ts'

const root = document.documentElement
const byId = (id: string) => document.getElementById(id)

function stored(key: string) {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage may be closed to us altogether; the system's choice still stands.
    return null
  }
}

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const GROUNDS = { light: '#ffffff', dark: '#141922' }

function applyTheme() {
  const chosen = stored('theme')
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : systemDark.matches ? 'dark' : 'light'
  root.dataset['theme'] = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = GROUNDS[theme]
}

applyTheme()
systemDark.addEventListener('change', applyTheme)
// src/state/theme.ts has stored another choice.
addEventListener('themechosen', applyTheme)
// Another tab chose; `key` is null when the storage was cleared.
addEventListener('storage', ({ key }) => {
  if (key === 'theme' || key === null) applyTheme()
})

// As soon as it is parsed, which is before it can be painted.
new MutationObserver((_, observer) => {
  if (!byId('root')) return
  observer.disconnect()
  const view = showFirst()
  // From a cache or over a good line the app's files would be here before the first frame, and it would wait for them all.
  whenNewEnough(view && document.visibilityState === 'visible' ? startAfterFrame : () => void startApp())
}).observe(document, { childList: true, subtree: true })

function showFirst() {
  const first = byId('first')
  if (!first) return undefined
  const { passwordChanged } = (history.state ?? {}) as { passwordChanged?: unknown }
  const { pathname, search } = location
  const view = chooseView(first, stored, { pathname, search, passwordChanged: Boolean(passwordChanged) })
  first.replaceChildren(...(view ? [view] : []))
  first.hidden = false
  return view
}

/** A browser that is too old shows what index.html says to it. Uploads may wait on this device, so it can be opened all the same. */
function whenNewEnough(start: () => void) {
  const news = byId('too-old')
  if (!news || getComputedStyle(news).display === 'none') return start()
  // It lies under these words, and would be read out beside them.
  const drawn = byId('first')
  if (drawn) drawn.style.visibility = 'hidden'
  const button = news.querySelector('button')!
  button.hidden = false
  button.addEventListener('click', () => {
    news.remove()
    if (drawn) drawn.style.visibility = ''
    start()
  })
}

/** Not for longer than a second: a window that is covered may have no frames. */
function startAfterFrame() {
  requestAnimationFrame(() => setTimeout(() => void startApp()))
  setTimeout(() => void startApp(), 1000)
}

/**
 * Once. All files are fetched before any of them is imported: most browsers keep a module that failed for the life of the page
 * (https://github.com/whatwg/html/issues/6768), but nothing of a fetch. The app's rules come before its script: nothing of it may be
 * seen without them.
 */
async function startApp() {
  const held = byId('app') as HTMLTemplateElement | null
  if (!held) return
  held.remove()
  const files = document.importNode(held.content, true)
  const isLoggedIn = Boolean(byId('first')?.firstChild)
  for (const link of files.querySelectorAll<HTMLLinkElement>('[data-of]'))
    if (!isLoggedIn || !isOneOf(link.dataset['of']!, location.pathname)) link.remove()
  const script = files.querySelector('script')!
  const rules = files.querySelector<HTMLLinkElement>('[rel=stylesheet]')!
  script.remove()
  rules.addEventListener('load', () => document.head.append(script))
  for (const one of [rules, script]) one.addEventListener('error', () => miss(() => location.reload()))
  // A worker has them all, and would be asked for each of them twice.
  const isKept = (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.controller
  if (!isKept) await Promise.all([...files.querySelectorAll('link')].map(({ href }) => arrival(href)))
  document.head.append(files)
}

/** Resolves when the browser has the file, however often it has to be asked for. */
async function arrival(address: string): Promise<unknown> {
  const isHere = await fetch(address).then(isFile, () => false)
  return isHere || new Promise((resolve) => miss(() => resolve(arrival(address))))
}

/** To its end. A network's login page may come in its place. What the server lacks is not waited for: the app says so. */
const isFile = async (answer: Response) =>
  answer.status === 404 ||
  (answer.ok && !answer.headers.get('content-type')?.includes('html') && (await answer.text()) !== '')

// A bad line: the app's files come late, or not at all, and the app is not there to say so. Each that fails is asked for until it is
// here. What is drawn stays meanwhile, and what is typed in it.
const LATE_MS = 4000
const AGAIN_MS = 5000
const asks = new Set<() => void>()
let nextAsk: ReturnType<typeof setTimeout> | undefined

/** Keeps `ask` for a while, or until somebody presses the button. */
function miss(ask: () => void) {
  asks.add(ask)
  tell('missed')
  clearTimeout(nextAsk)
  nextAsk = setTimeout(askAgain, AGAIN_MS)
}

function askAgain() {
  const all = [...asks]
  asks.clear()
  for (const ask of all) ask()
}

addEventListener('online', askAgain)
const isShown = () => !byId('first') && byId('root')?.hasChildNodes()
setTimeout(() => isShown() || document.querySelector('[data-news]') || tell('late'), LATE_MS)

/** The words stand in index.html. Where they are shown is taken away with #first, or cleared when the app renders. */
function tell(what: 'late' | 'missed') {
  const words = (byId('start-news') as HTMLTemplateElement | null)?.content.querySelector(`[data-news=${what}]`)
  // The HTML itself may be on its way still. Not anew: the button may have the focus.
  if (!words || document.querySelector(`[data-news=${what}]`)) return
  const news = document.importNode(words, true)
  news.querySelector('button')?.addEventListener('click', askAgain)
  document.querySelector('[data-news]')?.remove()
  const first = byId('first')
  const place = first?.querySelector('[data-connectivity-slot]') ?? first ?? byId('root')
  place?.append(news)
}

// A press of Login, or of a link beside it, counts before the app is there: replaceDrawnScreen carries it out. The browser would follow
// the link without the typed text. Typing on takes the press back.
addEventListener('submit', (event) => press(event, event.target as Element), true)
addEventListener('input', (event) => press(event), true)
addEventListener('click', (event) => {
  const link = (event.target as Element).closest('form a')
  const opensBeside = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  if (link && !opensBeside) press(event, link)
})

function press(event: Event, pressed?: Element) {
  const form = (event.target as Element).closest('form')
  if (!form || !byId('first')?.contains(form)) return
  if (pressed) event.preventDefault()
  for (const one of [form, ...form.querySelectorAll('a')]) one.toggleAttribute('data-pressed', one === pressed)
  const button = form.querySelector('[type=submit]')!
  if (pressed === form) button.setAttribute('aria-busy', 'true')
  else button.removeAttribute('aria-busy')
  button.querySelector<HTMLElement>('[data-busy]')!.hidden = pressed !== form
}

// The app must not take a field away from under an input method, nor a button or a link from under a finger: the click comes a moment
// after the finger is gone.
const CLICK_WITHIN_MS = 50
addEventListener('compositionstart', () => (root.dataset['composing'] = ''))
addEventListener('compositionend', () => delete root.dataset['composing'])
addEventListener('pointerdown', () => byId('first') && (root.dataset['pressing'] = ''))
for (const end of ['pointerup', 'pointercancel', 'blur'])
  addEventListener(end, () => setTimeout(() => delete root.dataset['pressing'], CLICK_WITHIN_MS))

// Comes before the app has loaded, and only once.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  window.__installPrompt = event as typeof window.__installPrompt
})
