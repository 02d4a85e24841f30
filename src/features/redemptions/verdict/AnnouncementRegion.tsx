import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { proxy } from 'valtio/vanilla'

const said = proxy({ text: '' })

/** Makes a screen reader say `text` once. Says nothing while it is undefined. */
export function useAnnouncement(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return undefined
    // The region is empty in between: the same words for the next voucher are said again, and a change is not said twice.
    const timer = setTimeout(() => {
      said.text = text
    })
    return () => {
      clearTimeout(timer)
      said.text = ''
    }
  }, [text])
}

/** The live region of the counter. It is there before any text: a region that is added with its text may stay silent. */
export function AnnouncementRegion() {
  const { text } = useSnapshot(said)
  return (
    <div className="sr-only" aria-live="assertive" aria-atomic="true">
      {text !== '' && <span>{text}</span>}
    </div>
  )
}
