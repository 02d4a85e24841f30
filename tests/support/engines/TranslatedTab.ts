import { PortalTab } from './PortalTab.ts'

/**
 * A tab whose page is translated. It looks for the test's texts in translation, but leaves names and amounts as they were: they are not translated.
 */
export class TranslatedTab extends PortalTab {
  override async open(path: string): Promise<void> {
    await super.open(path)
    await this.translate()
  }

  /** Begins to translate the page as it is now. */
  translate(): Promise<void> {
    return this.tab.evaluate(translatePage)
  }

  override sees(text: string): Promise<boolean> {
    return super.sees(translated(text))
  }

  override expectText(text: string): Promise<void> {
    return super.expectText(translated(text))
  }

  override async expect(...[kind, name]: Parameters<PortalTab['expect']>): Promise<void> {
    return super.expect(kind, await this.#nameNow(name))
  }

  override async press(...[kind, name]: Parameters<PortalTab['press']>): Promise<void> {
    return super.press(kind, await this.#nameNow(name))
  }

  override async fill(label: string, text: string): Promise<void> {
    return super.fill(await this.#nameNow(label), text)
  }

  /** Returns the name to look for. The translator does not change an aria-label, which is not visible text. */
  async #nameNow(name: string): Promise<string> {
    const isUnseen = await this.tab.evaluate(
      (name) => document.querySelector(`:is(a, button, input, select)[aria-label="${name}"]`) !== null,
      name,
    )
    return isUnseen ? name : translated(name)
  }
}

/** Translates text into a made-up language: each letter is replaced by the one thirteen places on. */
const translated = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })

/**
 * Runs in the page and works as Google's translator does (https://github.com/facebook/react/issues/11538): it replaces each text node by a `font` in
 * a `font`, also in parts that are added or changed later, but not inside `translate="no"`. It writes amounts in a foreign format.
 */
function translatePage() {
  const done = new WeakSet<Node>()
  const words = (text: string) =>
    text.replaceAll(/\$([\d,]+)\.(\d\d)/g, '$1,$2 $').replaceAll(/[a-z]/gi, (letter) => {
      const first = letter < 'a' ? 65 : 97
      return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
    })
  const translate = (text: Text) => {
    if (done.has(text) || !text.parentElement || text.data.trim() === '') return
    if (text.parentElement.closest('[translate=no], script, style, textarea')) return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    for (const font of [outer, inner]) font.style.verticalAlign = 'inherit'
    const own = document.createTextNode(words(text.data))
    done.add(own)
    inner.append(own)
    outer.append(inner)
    text.replaceWith(outer)
  }
  const translateIn = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = root instanceof Text ? [root] : []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    texts.forEach(translate)
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') translateIn(target)
      addedNodes.forEach(translateIn)
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
  translateIn(document.body)
}
