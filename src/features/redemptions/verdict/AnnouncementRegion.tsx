import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { proxy } from 'valtio/vanilla'

/** The id of the live region, for the button that it describes. */
export const ANNOUNCEMENT_ID = 'counter-said'

const said = proxy({ text: '', times: 0 })

/** Makes a screen reader say `text` once. Says nothing while it is undefined. */
export function useAnnouncement(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return undefined
    said.text = text
    said.times += 1
    return () => {
      said.text = ''
    }
  }, [text])
}

/** The live region of the counter. It is there before any text: a region that is added with its text may stay silent. */
export function AnnouncementRegion() {
  const { text, times } = useSnapshot(said)
  return (
    <div id={ANNOUNCEMENT_ID} className="sr-only" aria-live="assertive" aria-atomic="true">
      {/* Two vouchers may get the same words: a new element makes the screen reader say them again. */}
      {text !== '' && <p key={times}>{text}</p>}
    </div>
  )
}
