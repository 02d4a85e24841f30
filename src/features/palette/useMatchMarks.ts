import { useEffect, useLayoutEffect, type RefObject } from 'react'
import type { FoundItem } from './foundItems.ts'

const MARK_NAME = 'palette-match'
/** What does not have it shows its results without marks. */
const highlights = globalThis.CSS?.highlights as HighlightRegistry | undefined
if (highlights) document.adoptedStyleSheets.push(markSheet())

/** Not by colour alone. Not with the other rules: the build's optimizer does not know this selector yet, and warns of it. */
function markSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`::highlight(${MARK_NAME}) { text-decoration: underline 2px; text-underline-offset: 3px }`)
  return sheet
}

/**
 * Marks the letters that were found in the labels of `list`, in the order of `found`. Painted over the text as it stands: an element
 * for each of them would be made, laid out and taken away again at every key.
 */
export function useMatchMarks(list: RefObject<HTMLElement | null>, found: readonly FoundItem[]): void {
  useLayoutEffect(() => {
    if (!highlights || !list.current) return
    const labels = list.current.querySelectorAll('.label')
    const marks = found.flatMap(({ ranges }, at) => rangesIn(labels[at]?.firstChild, ranges))
    highlights.set(MARK_NAME, new Highlight(...marks))
  }, [list, found])
  useEffect(() => () => void highlights?.delete(MARK_NAME), [])
}

const rangesIn = (text: Node | null | undefined, ranges: FoundItem['ranges']) =>
  text
    ? ranges.map(
        ([startOffset, endOffset]) =>
          new StaticRange({ startContainer: text, startOffset, endContainer: text, endOffset }),
      )
    : []
