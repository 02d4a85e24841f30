import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { askToPersist, isPersisted } from './askToPersist.ts'

/** Says that the browser may clear what this till has not uploaded, and asks it once more on the person's word. */
export function StorageNotice() {
  const [persisted, setPersisted] = useState(true)
  const look = async () => setPersisted(await isPersisted())
  useEffect(() => void look(), [])
  if (persisted) return null
  const again = async () => {
    await askToPersist()
    await look()
  }
  return (
    <Notice
      tone="warn"
      title="This browser may clear stored data"
      action={<Button onClick={() => void again()}>Ask again</Button>}
    >
      <p>
        When the device runs full, it could take vouchers that are not uploaded with it. Installing the portal helps.
      </p>
    </Notice>
  )
}
