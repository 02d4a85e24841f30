import { baseUrl } from '../../api/baseUrl.ts'
import { termsPdf } from '../../contract/merchants/signup.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'

export const TermsPdfLink = () => (
  <a className={buttonClass()} href={baseUrl(termsPdf.base) + termsPdf.path} download>
    <Icon name="download" />
    Download PDF
  </a>
)
