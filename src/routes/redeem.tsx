import { createFileRoute } from '@tanstack/react-router'
import { RedeemPage } from '../features/redeem/RedeemPage.tsx'

export const Route = createFileRoute('/redeem')({ component: RedeemPage })
