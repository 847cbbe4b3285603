import { companion } from '@latchkey/core'
import type { ReactElement } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from '../../../context.ts'
import { holdingsPart } from '../../../strings/holdings/texts.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { Tabs } from '../../parts/Tabs.tsx'
import { Activity } from './Activity.tsx'
import { Nfts } from './Nfts.tsx'
import { Tokens } from './Tokens.tsx'
import { useKeptFresh } from './useKeptFresh.ts'
import { useSupported } from './useSupported.ts'

type Tab = 'tokens' | 'nfts' | 'activity'

const tabKey = Symbol('account tab')

/** What the account holds and did, as far as it can be told on its network: tokens, NFTs, activity [R2.3]. */
export function Holdings(): ReactElement | null {
  const supported = useSupported()
  useKeptFresh()
  const shown = (['tokens', 'nfts', 'activity'] as const).filter((tab) => supported(features[tab]))
  const [only] = shown
  if (only === undefined) return null
  return <Spoken part={holdingsPart}>{shown.length === 1 ? <Alone tab={only} /> : <Tabbed shown={shown} />}</Spoken>
}

const features = { tokens: 'balances', nfts: 'nfts', activity: 'history' } as const

function Tabbed({ shown }: { shown: readonly Tab[] }): ReactElement {
  const latchkey = useLatchkey()
  const { tabs: label } = usePart(holdingsPart)
  const names = useNames()
  // Whoever comes back to the account finds the tab that he left.
  const store = companion(latchkey, tabKey, (): StoreApi<Tab> => createStore(() => 'tokens'))
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
  const { account, money } = useStrings()
  const { nfts } = usePart(holdingsPart)
  return { tokens: account.tokens, nfts, activity: money.activity }
}

function Panel({ tab }: { tab: Tab }): ReactElement {
  if (tab === 'tokens') return <Tokens />
  return tab === 'nfts' ? <Nfts /> : <Activity />
}
