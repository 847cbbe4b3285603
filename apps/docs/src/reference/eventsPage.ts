import { join } from 'node:path'
import { formatCode, formatTable } from './formatTable.ts'
import { readMembers, type Member } from './readMembers.ts'

/** The page of all events, read from the types that declare them. */
export async function eventsPage(root: string): Promise<string> {
  const core = await readMembers(join(root, 'packages/core/src/instance/events.ts'), 'LatchkeyEventPayloads')
  const modal = await readMembers(join(root, 'packages/modal/src/modalEvents.ts'), 'ModalEventPayloads')
  return `# Events

An instance reports what happens: \`latchkey.events.subscribe(listener)\`, or \`useLatchkeyEvents(listener)\` in React. Each event has a
\`type\` and the fields below. Latchkey sends events to no server.

## Events of an instance

${formatEvents(core)}

## Events of the modal

${formatEvents(modal)}
`
}

function formatEvents(events: readonly Member[]): string {
  return formatTable(
    ['event', 'fields', 'meaning'],
    events.map(({ name, type, description }) => [
      formatCode(name),
      type === 'object' ? '' : formatCode(type),
      description,
    ]),
  )
}
