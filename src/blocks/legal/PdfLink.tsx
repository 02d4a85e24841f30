import type { MouseEvent } from 'react'
import { baseUrl } from '../../api/baseUrl.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { isHomeScreenApp } from '../../offline/storage/storageHealth.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { saveFromServer } from '../downloads/saveFile.ts'

interface Props {
  of: Endpoint
  children: string
  /** Shown as a link among other links instead of a button. */
  plain?: boolean
}

/** Links to a text of the programme as a PDF; no login is needed. */
export function PdfLink({ of, children, plain = false }: Props) {
  // In a home-screen app a link would lead to a preview without a way back (saveFile).
  const share = (event: MouseEvent) => {
    if (!isHomeScreenApp()) return
    event.preventDefault()
    void saveFromServer(of, {}, 'The PDF could not be fetched.')
  }
  return (
    <a
      className={plain ? 'inline-block py-0.5' : buttonClass()}
      href={baseUrl(of.base) + of.path}
      download
      onClick={share}
    >
      {!plain && <Icon drawing={ICONS.download} />}
      <span>{children}</span>
    </a>
  )
}
