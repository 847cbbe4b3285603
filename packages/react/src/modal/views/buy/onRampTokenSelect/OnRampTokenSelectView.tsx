import { tokenImageUrl } from '@latchkey/core/internal'
import { buyState, choosePurchaseCurrency } from '@latchkey/core/money'
import { goBack } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useStore } from '../../../../useStore.ts'
import { Mark, Row } from '../../../parts/index.tsx'
import OnRampProvidersView from '../onRampProviders/OnRampProvidersView.tsx'

/** Selects the asset to buy, from those that the provider sells on this network. */
export default function OnRampTokenSelectView(): ReactElement {
  const latchkey = useLatchkey()
  const { status, purchases, purchase } = useStore(buyState(latchkey))
  if (status !== 'open') return <OnRampProvidersView />
  return (
    <ul className="rows">
      {purchases.map(({ id, name, symbol }) => (
        <Row
          key={id}
          mark={<Mark name={symbol} icon={tokenImageUrl(latchkey, symbol)} />}
          name={name}
          sub={symbol}
          current={id === purchase}
          onChoose={() => {
            choosePurchaseCurrency(latchkey, id)
            goBack(latchkey)
          }}
        />
      ))}
    </ul>
  )
}
