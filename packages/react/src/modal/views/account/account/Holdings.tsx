import { defineFeature, getFeature } from '@latchkey/core/internal'
import { holdingsMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from '../../../../context.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { Tabs } from '../../../parts/Tabs.tsx'
import { Activity } from './Activity.tsx'
import { Nfts } from './Nfts.tsx'
import { Tokens } from './Tokens.tsx'
import { useRefreshOnChange } from '../../../../queries/useRefreshOnChange.ts'
import { useRefreshWhilePending } from './useRefreshWhilePending.ts'
import { useSupported } from './useSupported.ts'

type Tab = 'tokens' | 'nfts' | 'activity'

const chosenTab = defineFeature((): StoreApi<Tab> => createStore(() => 'tokens'))

/** The tokens, NFTs and activity of the account, as far as its network supports them [R2.3]. */
export function Holdings(): ReactElement | null {
  const supported = useSupported()
  useRefreshWhilePending()
  const shown = (['tokens', 'nfts', 'activity'] as const).filter((tab) => supported(features[tab]))
  useRefreshOnChange(shown.length > 0)
  const [only] = shown
  if (only === undefined) return null
  return (
    <FlowMessages chunk={holdingsMessages}>
      {shown.length === 1 ? <Alone tab={only} /> : <Tabbed shown={shown} />}
    </FlowMessages>
  )
}

const features = { tokens: 'balances', nfts: 'nfts', activity: 'history' } as const

function Tabbed({ shown }: { shown: readonly Tab[] }): ReactElement {
  const latchkey = useLatchkey()
  const { tabs: label } = useFlowMessages(holdingsMessages)
  const names = useNames()
  // The selected tab is restored when the user returns to the account.
  const store = getFeature(latchkey, chosenTab)
  const before = useStore(store)
  const chosen = shown.includes(before) ? before : (shown[0] ?? before)
  return (
    <div className="holdings">
      <Tabs<Tab>
        label={label}
        tabs={shown.map((id) => ({ id, name: names[id] }))}
        chosen={chosen}
        onChoose={(tab) => store.setState(tab, true)}
        panel="holdings"
      />
      <div id="holdings" role="tabpanel" aria-label={names[chosen]}>
        <Panel key={chosen} tab={chosen} />
      </div>
    </div>
  )
}

function Alone({ tab }: { tab: Tab }): ReactElement {
  return (
    <section className="holdings" aria-labelledby="holdings">
      <h2 id="holdings">{useNames()[tab]}</h2>
      <Panel tab={tab} />
    </section>
  )
}

function useNames(): { readonly [tab in Tab]: string } {
  const { account, money } = useModalMessages()
  const { nfts } = useFlowMessages(holdingsMessages)
  return { tokens: account.tokens, nfts, activity: money.activity }
}

function Panel({ tab }: { tab: Tab }): ReactElement {
  if (tab === 'tokens') return <Tokens />
  return tab === 'nfts' ? <Nfts /> : <Activity />
}
