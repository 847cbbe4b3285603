import { shortenAddress, type SharedAccount } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon, Row } from '../../../parts/index.tsx'
import { Avatar } from '../account/Avatar.tsx'

type AccountRowsProps = {
  title: string
  accounts: readonly SharedAccount[]
  onChoose(account: AccountId): void
}

/** A list of accounts. The current one is marked. */
export function AccountRows({ title, accounts, onChoose }: AccountRowsProps): ReactElement {
  const { accountSettings: t } = useModalMessages()
  return (
    <section className="group" aria-labelledby="accounts">
      <h2 id="accounts">{title}</h2>
      <ul className="rows">
        {accounts.map(({ account, address, label, type, selected }) => {
          const short = <bdi dir="ltr">{shortenAddress(address)}</bdi>
          const kind = type === undefined ? undefined : t.kinds[type]
          return (
            <Row
              key={account}
              mark={<Avatar address={address} identity={undefined} size="small" />}
              name={label ?? short}
              sub={label === undefined ? kind : short}
              tag={selected ? <InUse /> : undefined}
              current={selected}
              onChoose={() => onChoose(account)}
            />
          )
        })}
      </ul>
    </section>
  )
}

function InUse(): ReactElement {
  const { accountSettings: t } = useModalMessages()
  return (
    <span className="in-use">
      <Icon name="check" size={16} />
      {t.inUse}
    </span>
  )
}
