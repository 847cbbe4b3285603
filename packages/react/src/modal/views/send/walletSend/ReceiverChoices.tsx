import { shortenAddress } from '@latchkey/core'
import { receiverBook, removeContact, removeRecentReceiver, setReceiver } from '@latchkey/core/money'
import { sendMessages } from '@latchkey/modal/messages'
import { useId, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { Icon } from '../../../parts/index.tsx'
import { Avatar } from '../../account/account/Avatar.tsx'

/** The address book and the recent receivers, below an empty receiver field. Each entry can be removed. */
export function ReceiverChoices(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages).book
  const { contacts, recent } = useStore(receiverBook(latchkey))
  return (
    <>
      {contacts.length > 0 && <Choices title={t.contacts} entries={contacts} remove={removeContact} />}
      {recent.length > 0 && (
        <Choices title={t.recent} entries={recent.map((address) => ({ address }))} remove={removeRecentReceiver} />
      )}
    </>
  )
}

type Entry = { address: string; name?: string }

function Choices({
  title,
  entries,
  remove,
}: {
  title: string
  entries: readonly Entry[]
  remove: typeof removeContact
}): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages).book
  const id = useId()
  return (
    <section className="group" aria-labelledby={id}>
      <h2 id={id} className="money-label">
        {title}
      </h2>
      <ul className="rows">
        {entries.map(({ address, name }) => {
          const short = shortenAddress(address)
          return (
            <li key={address} className="receiver-choice">
              <button
                type="button"
                className="row"
                part="row"
                aria-label={t.use({ name: name ?? short })}
                onClick={() => setReceiver(latchkey, address)}
              >
                <Avatar address={address} identity={undefined} size="small" />
                <span className="text">
                  {name !== undefined && <span className="name">{name}</span>}
                  <span className={name === undefined ? 'name' : 'sub'}>
                    <bdi dir="ltr">{short}</bdi>
                  </span>
                </span>
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={t.remove({ name: name ?? short })}
                onClick={() => remove(latchkey, address)}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
