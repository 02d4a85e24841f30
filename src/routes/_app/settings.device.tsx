import { createFileRoute } from '@tanstack/react-router'
import { DevicePage } from '../../features/device/DevicePage.tsx'

export const Route = createFileRoute('/_app/settings/device')({ component: DevicePage })
