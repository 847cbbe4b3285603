import { goBack } from '@latchkey/modal'
import type { ReactElement, ReactNode } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Cards } from '../../connecting/whatIsAWallet/Cards.tsx'

/** A chain of blocks, and a coin next to a transaction. */
const pictures: readonly [ReactNode, ReactNode] = [
  <>
    <path className="line" d="M27 24h10M22 29v6m20-6v6M27 40h10" />
    <rect className="solid" x="15" y="17" width="14" height="14" rx="4" />
    <rect className="solid" x="35" y="17" width="14" height="14" rx="4" />
    <rect className="solid" x="15" y="34" width="14" height="14" rx="4" />
    <rect className="solid" x="35" y="34" width="14" height="14" rx="4" />
    <path className="mark-line" d="m39 41 2.5 2.5L46 39" />
  </>,
  <>
    <path className="line" d="M14 46h36M18 40h14M18 34h8" />
    <circle className="solid" cx="39" cy="28" r="12" />
    <path className="mark-line" d="M39 22.5v11m-3.5-8 3.5-3.5 3.5 3.5" />
  </>,
]

/** Explains networks to new users. */
export default function WhatIsANetworkView(): ReactElement {
  const latchkey = useLatchkey()
  const { whatIsANetwork: t } = useModalMessages()
  return (
    <>
      <Cards cards={[t.cards.ledger, t.cards.fees].map((card, index) => ({ ...card, picture: pictures[index] }))} />
      <button type="button" className="button" data-primary="" part="primary" onClick={() => goBack(latchkey)}>
        {t.back}
      </button>
    </>
  )
}
