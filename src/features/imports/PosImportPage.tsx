import { BackLink } from '../../blocks/page/BackLink.tsx'
import { ImportPage } from './ImportPage.tsx'
import { posImport } from './posImport.ts'

const OF_BRANCH = posImport(true)
const OF_ORGANISATION = posImport(false)

/** `ofBranch`: a branch imports its own, from its profile. */
export const PosImportPage = ({ ofBranch }: { ofBranch: boolean }) =>
  ofBranch ? (
    <ImportPage kind={OF_BRANCH} back={<BackLink to="/profile">Profile</BackLink>} />
  ) : (
    <ImportPage kind={OF_ORGANISATION} back={<BackLink to="/branches">Branches</BackLink>} />
  )
