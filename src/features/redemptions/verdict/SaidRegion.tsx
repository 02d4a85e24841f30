import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { proxy } from 'valtio/vanilla'
import { useAloud } from '../../../blocks/vouchers/speakAloud.ts'

/** Of the live region, for the button that it describes. */
export const SAID = 'counter-said'

const said = proxy({ text: '', times: 0 })

/**
 * Has a screen reader say `text` once. Nothing is said while it is undefined. Where the device itself says `aloud`, the screen reader is
 * left out: nobody hears it twice.
 */
export function useSay(words: string | undefined, aloud?: string): void {
  const isAloud = useAloud(aloud)
  const text = isAloud ? undefined : words
  useEffect(() => {
    if (text === undefined) return undefined
    said.text = text
    said.times += 1
    return () => {
      said.text = ''
    }
  }, [text])
}

/** Stands at the counter before anything is said: a region that comes with its text may stay silent. */
export function SaidRegion() {
  const { text, times } = useSnapshot(said)
  return (
    <div id={SAID} className="sr-only" aria-live="assertive" aria-atomic="true">
      {/* Two vouchers may get the same words: a new element has them said again. */}
      {text !== '' && <p key={times}>{text}</p>}
    </div>
  )
}
