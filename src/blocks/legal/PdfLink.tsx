import { baseUrl } from '../../api/baseUrl.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'

/** A text of the programme as a PDF that needs no login. */
export const PdfLink = ({ of, children }: { of: Pick<Endpoint, 'base' | 'path'>; children: string }) => (
  <a className={buttonClass()} href={baseUrl(of.base) + of.path} download>
    <Icon name="download" />
    {children}
  </a>
)
