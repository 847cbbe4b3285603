import { pushView } from '@latchkey/modal'
import type { ReactElement, ReactNode } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Cards } from './Cards.tsx'

/** A key, a wallet and a door. */
const pictures: readonly [ReactNode, ReactNode, ReactNode] = [
  <>
    <rect className="solid" x="12" y="19" width="40" height="26" rx="8" />
    <circle className="line" cx="24" cy="32" r="5" />
    <path className="line" d="M29 32h9m-3 0v4" />
    <circle className="ground" cx="46" cy="42" r="9" />
    <path className="mark-line" d="m42 42 3 3 6-6.5" />
  </>,
  <>
    <path className="line" d="M18 22v-2a5 5 0 0 1 5-5h16a4 4 0 0 1 4 4v3" />
    <rect className="solid" x="13" y="22" width="38" height="27" rx="7" />
    <path className="solid" d="M51 31H41a4.5 4.5 0 0 0 0 9h10z" />
    <circle className="dot" cx="41.5" cy="35.5" r="1.75" />
  </>,
  <>
    <path className="line" d="M13 50h38" />
    <path className="solid" d="M20 50V24a12 12 0 0 1 24 0v26z" />
    <path className="line" d="M44 50V22l-9-7" />
    <circle className="dot" cx="38" cy="34" r="1.75" />
    <path className="mark-line" d="M26 32h-9m0 0 4-4m-4 4 4 4" />
  </>,
]

/** Explains wallets to new users. */
export default function WhatIsAWalletView(): ReactElement {
  const latchkey = useLatchkey()
  const { whatIsAWallet: t } = useModalMessages()
  return (
    <>
      <Cards
        cards={[t.cards.login, t.cards.home, t.cards.key].map((card, index) => ({ ...card, picture: pictures[index] }))}
      />
      <button
        type="button"
        className="button"
        data-primary=""
        part="primary"
        onClick={() => pushView(latchkey, { view: 'GetWallet', params: {} })}
      >
        {t.getWallet}
      </button>
    </>
  )
}
