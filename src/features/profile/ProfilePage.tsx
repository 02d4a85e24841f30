import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'
import { SecurityPanel } from './SecurityPanel.tsx'

export function ProfilePage() {
  return (
    <>
      <UnbuiltPage title="Profile" line="The company profile cannot be shown here yet." />
      <SecurityPanel />
    </>
  )
}
