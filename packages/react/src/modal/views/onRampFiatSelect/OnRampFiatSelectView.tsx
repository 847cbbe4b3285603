import { goBack } from '@latchkey/core'
import { buyState, choosePaymentCurrency } from '@latchkey/core/money'
import type { ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { useStore } from '../../../useStore.ts'
import { Mark, Row } from '../../parts.tsx'

/** Choosing the currency that is paid with. */
export default function OnRampFiatSelectView(): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useSurroundings()
  const { payments, payment } = useStore(buyState(latchkey))
  const names = new Intl.DisplayNames(locale ?? 'en', { type: 'currency' })
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
