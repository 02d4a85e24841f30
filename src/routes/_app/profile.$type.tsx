import { createFileRoute } from '@tanstack/react-router'
import { requireSubPath } from '../../blocks/page/requireSubPath.ts'
import { EditProfilePage } from '../../features/profile/EditProfilePage.tsx'

/** `edit` is the only page on this level (rule 16.4). */
export const Route = createFileRoute('/_app/profile/$type')({
  beforeLoad: ({ params }) => requireSubPath('profile', params.type),
  component: EditProfilePage,
})
