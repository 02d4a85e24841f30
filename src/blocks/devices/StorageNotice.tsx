import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { retryStorage, storageHealth, type StorageState as Trouble } from '../../offline/storage/storageHealth.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** The one notice about storage that fails, on every screen that stores something. It comes and goes by itself (rule 14.9). */
export function StorageNotice({ className = 'mb-6' }: { className?: string }) {
  const { trouble } = useSnapshot(storageHealth)
  return trouble === 'none' ? null : (
    <div className={className}>
      <StorageMessageNotice {...MESSAGES[trouble]} />
    </div>
  )
}

interface StorageMessage {
  title: string
  text: string
  /** The browser may allow it again: offer to try. */
  retry?: boolean
  more?: ReactNode
}

const MESSAGES: Record<Exclude<Trouble, 'none'>, StorageMessage> = {
  blocked: {
    title: 'Close other windows of the portal',
    text: 'One of them still uses what this device keeps, as an older version left it. Close them all but this one; it goes on by itself.',
  },
  broken: {
    title: 'What this device keeps does not open',
    text: 'Nothing of it is lost: downloads and drafts are there as they were. With a connection the portal works meanwhile, and keeps nothing new.',
    retry: true,
  },
  refused: {
    title: 'This browser keeps nothing on the device',
    text: 'The portal works with a connection only. Downloads start at once, and what is typed is gone with the page. A private window does this.',
    retry: true,
  },
  full: {
    title: 'This device is full',
    text: 'Files and lists that can be had again have made room already, and it was not enough. Free some space on the device: until then nothing new is kept.',
    more: <Link to="/settings/device">What is kept here</Link>,
  },
}

function StorageMessageNotice({ title, text, retry, more }: StorageMessage) {
  return (
    <Notice
      tone="warn"
      role="alert"
      title={title}
      action={retry && <Button onClick={() => void retryStorage()}>Try again</Button>}
    >
      <p>
        {text} {more}
      </p>
    </Notice>
  )
}

/** Nothing can be stored now: this browser stores nothing, as some private windows do, or its storage does not open. */
export function useStorageRefused(): boolean {
  const { trouble } = useSnapshot(storageHealth)
  return trouble !== 'none' && trouble !== 'full'
}
