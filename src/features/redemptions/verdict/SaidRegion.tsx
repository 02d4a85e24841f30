import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { proxy } from 'valtio/vanilla'

/** Of the live region, for the button that it describes. */
export const SAID = 'counter-said'

const said = proxy({ text: '', times: 0 })

/** Has a screen reader say `text` once. Nothing is said while it is undefined. */
export function useSay(text: string | undefined): void {
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
