import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { proxy } from 'valtio/vanilla'

const announced = proxy({ text: '' })

/** Makes a screen reader say `text` once. Says nothing while it is undefined. */
export function useAnnouncement(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return undefined
    // The region is emptied in between, so that the same words for the next voucher are spoken again.
    const timer = setTimeout(() => {
      announced.text = text
    })
    return () => {
      clearTimeout(timer)
      announced.text = ''
    }
  }, [text])
}

/** The live region of the counter. It must be on the page before its text: a region that is added with its text may stay silent. */
export function AnnouncementRegion() {
  const { text } = useSnapshot(announced)
  return (
    <div className="sr-only" aria-live="assertive" aria-atomic="true">
      {text !== '' && <span>{text}</span>}
    </div>
  )
}
