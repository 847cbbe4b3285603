import type { ReactElement } from 'react'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { Tabs } from '../parts/Tabs.tsx'
import type { Platform } from './platforms.ts'

type PlatformTabsProps = {
  platforms: readonly Platform[]
  chosen: Platform
  onChoose(platform: Platform): void
}

/** Tabs for the platforms of a wallet. */
export function PlatformTabs({ platforms, chosen, onChoose }: PlatformTabsProps): ReactElement {
  const { pairing: t } = useModalMessages()
  const tabs = platforms.map((id) => ({ id, name: t.platforms[id] }))
  return <Tabs label={t.tabs} tabs={tabs} chosen={chosen} onChoose={onChoose} />
}
