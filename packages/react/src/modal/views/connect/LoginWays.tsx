import { pushView } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStore } from '../../../useStore.ts'
import { Mark, Row } from '../../parts.tsx'

/** The embedded wallet's ways in, e-mail and social logins: its own view asks for them. */
export function LoginWays(): ReactElement {
  const latchkey = useLatchkey()
  const connectors = useStore(latchkey.connectors)
  return (
    <ul className="rows">
      {connectors
        .filter(({ type }) => type === 'embedded')
        .map(({ id, name, icon }) => (
          <Row
            key={id}
            mark={<Mark name={name} icon={icon} />}
            name={name}
            onChoose={() => pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId: id } })}
          />
        ))}
    </ul>
  )
}
