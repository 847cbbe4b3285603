import { buyState, choosePaymentCurrency } from '@latchkey/core/money'
import { goBack } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useStore } from '../../../../useStore.ts'
import { Mark, Row } from '../../../parts/index.tsx'
import OnRampProvidersView from '../onRampProviders/OnRampProvidersView.tsx'

/** Selects the payment currency. */
export default function OnRampFiatSelectView(): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const { status, payments, payment } = useStore(buyState(latchkey))
  const names = new Intl.DisplayNames(locale ?? 'en', { type: 'currency' })
  if (status !== 'open') return <OnRampProvidersView />
  return (
    <ul className="rows">
      {payments.map(({ id }) => (
        <Row
          key={id}
          mark={<Mark name={id} />}
          name={names.of(id) ?? id}
          sub={id}
          current={id === payment}
          onChoose={() => {
            choosePaymentCurrency(latchkey, id)
            goBack(latchkey)
          }}
        />
      ))}
    </ul>
  )
}
