import { pushView, type Views } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useConnectors } from '../../../hooks/useConnectors.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { Icon, Mark, Row, Standing } from '../../parts.tsx'

/** Asks in which of its namespaces a wallet is to be connected, by the names that people know them by. */
export default function ConnectingMultiChainView({ connectorIds }: Views['ConnectingMultiChain']): ReactElement {
  const latchkey = useLatchkey()
  const { multiChain: t, connecting } = useStrings()
  const connectors = useConnectors().filter(({ id }) => connectorIds.includes(id))
  const [wallet = { name: connecting.title }] = connectors
  const ways = latchkey.adapters.flatMap(({ namespace, name, networks }) =>
    connectors
      .filter(({ namespaces }) => namespaces.includes(namespace))
      .map(({ id }) => ({ connectorId: id, namespace, name, icon: networks[0].assets?.imageUrl })),
  )
  const choose = (connectorId: string, more: { namespace?: Namespace; others?: readonly string[] }): void =>
    pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId, ...more } })
  const [first, ...others] = connectors.map(({ id }) => id)
  return (
    <>
      <Standing wallet={wallet} state="ready" headline={t.ask(wallet.name)} hint={t.askHint} />
      <ul className="rows">
        {ways.map(({ connectorId, namespace, name, icon }) => (
          <Row
            key={namespace}
            mark={<Mark name={name} icon={icon} />}
            name={name}
            onChoose={() => choose(connectorId, { namespace })}
          />
        ))}
        {first !== undefined && ways.length > 1 && (
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
