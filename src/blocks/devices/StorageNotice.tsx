import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { retryStorage, storageHealth, type StorageState as Trouble } from '../../offline/storage/storageHealth.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Notice } from '../../ui/Notice.tsx'

/** Warns about failing storage, on every screen that stores something. It disappears when storage works again (rule 14.9). */
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
  /** True if trying again may help. */
  retry?: boolean
  more?: Elements
}

const MESSAGES: Record<Exclude<Trouble, 'none'>, StorageMessage> = {
  blocked: {
    title: 'Close other windows of the portal',
    text: 'Another window still uses the offline data of an older version. Close all windows but this one. It then continues automatically.',
  },
  broken: {
    title: 'The offline data of this device cannot be opened',
    text: 'Nothing is lost: downloads and drafts are still stored. While you are online the portal works, but stores nothing new.',
    retry: true,
  },
  refused: {
    title: 'This browser stores nothing on this device',
    text: 'The portal works only online. Downloads start at once, and what you type is lost when the page closes. A private window or blocked cookies do this: ask who manages the browser.',
    retry: true,
  },
  full: {
    title: 'This device is full',
    text: 'Files that can be downloaded again were already deleted. Free some space on the device: until then nothing new is stored.',
    more: <Link to="/settings/device">What is stored here</Link>,
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
        <span>{`${text} `}</span>
        {more}
      </p>
    </Notice>
  )
}

/** True if nothing can be stored now: this browser stores nothing, as in some private windows, or its storage cannot be opened. */
export function useStorageRefused(): boolean {
  const { trouble } = useSnapshot(storageHealth)
  return trouble !== 'none' && trouble !== 'full'
}
