import type { ReactElement } from 'react'
import { useStrings } from '../../strings/useStrings.ts'
import { Tabs } from '../parts/Tabs.tsx'
import type { Platform } from './platforms.ts'

type PlatformTabsProps = {
  platforms: readonly Platform[]
  chosen: Platform
  onChoose(platform: Platform): void
}

/** Where the wallet is. */
export function PlatformTabs({ platforms, chosen, onChoose }: PlatformTabsProps): ReactElement {
  const { pairing: t } = useStrings()
  const tabs = platforms.map((id) => ({ id, name: t.platforms[id] }))
  return <Tabs label={t.tabs} tabs={tabs} chosen={chosen} onChoose={onChoose} />
}
