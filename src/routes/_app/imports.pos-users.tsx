import { createFileRoute } from '@tanstack/react-router'
import { PosImportPage } from '../../features/imports/ImportPage.tsx'

export const Route = createFileRoute('/_app/imports/pos-users')({ component: PosImportPage })
