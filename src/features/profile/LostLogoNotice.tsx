import { Notice } from '../../ui/Notice.tsx'

export const ExpiredLogoNotice = () => (
  <Notice tone="warn" role="status">
    <p>The new logo of your draft was not kept, for it was not saved within the hour. Choose it again.</p>
  </Notice>
)
