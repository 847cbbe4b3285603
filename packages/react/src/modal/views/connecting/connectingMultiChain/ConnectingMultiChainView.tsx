import { networkImageUrl } from '@latchkey/core'
import { pushView, type Views } from '@latchkey/modal'
import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useConnectors } from '../../../../hooks/useConnectors.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon, Mark, Row, StatusPanel } from '../../../parts/index.tsx'

/** Asks for the namespace of a wallet that supports several. */
export default function ConnectingMultiChainView({ connectorIds }: Views['ConnectingMultiChain']): ReactElement {
  const latchkey = useLatchkey()
  const { multiChain: t, connecting } = useModalMessages()
  const connectors = useConnectors().filter(({ id }) => connectorIds.includes(id))
  const [wallet = { name: connecting.title }] = connectors
  const choices = latchkey.adapters.flatMap(({ namespace, name, networks }) =>
    connectors
      .filter(({ namespaces }) => namespaces.includes(namespace))
      .map(({ id }) => ({ connectorId: id, namespace, name, icon: networkImageUrl(latchkey, networks[0]) })),
  )
  const choose = (connectorId: string, more: { namespace?: Namespace; others?: readonly string[] }): void =>
    pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId, ...more } })
  const [first, ...others] = connectors.map(({ id }) => id)
  return (
    <>
      <StatusPanel wallet={wallet} state="ready" headline={t.intro({ wallet: wallet.name })} hint={t.introHint} />
      <ul className="rows">
        {choices.map(({ connectorId, namespace, name, icon }) => (
          <Row
            key={namespace}
            mark={<Mark name={name} icon={icon} />}
            name={name}
            onChoose={() => choose(connectorId, { namespace })}
          />
        ))}
        {first !== undefined && choices.length > 1 && (
          <Row
            mark={
              <span className="mark">
                <Icon name="grid" />
              </span>
            }
            name={t.all}
            sub={t.allHint}
            onChoose={() => choose(first, { others })}
          />
        )}
      </ul>
    </>
  )
}
