import { stripVTControlCharacters } from 'node:util'
import type { Finding } from './finding.ts'

/** The app as its services see it: the project that it passes, and the origin of its page. */
export type AppIdentity = { project?: string | undefined; origin?: string | undefined }

/** A service that refused a request, such as `The relay wss://relay.example.org/relay`, with the text of its response. */
type Refusal = AppIdentity & { service: string; status: number; text: string }

const askOperator = 'or ask the operator of the service to do so.'

/**
 * Explains why a service refuses an app. The texts are those of a Latchkey server, and of other relays where they agree.
 *
 * @returns a problem, or a warning if the check lacks the project or the origin to find out
 */
export function findRefusal({ service, status, text, project, origin }: Refusal): Finding {
  if (/project ?id is missing|missing project id/i.test(text)) {
    const advice = 'Pass the project id of the app with --project, to check if the service accepts it.'
    return { severity: 'warning', text: `${service} requires a project id.`, advice }
  }
  if (/project is unknown|invalid key|project not found/i.test(text)) {
    const add = `npx latchkey projects add --id=${project ?? 'ID'} ${origin ?? 'https://app.example.org'}`
    const advice = `Check the project id in the app. Add a new project on the server with ${add}, ${askOperator}`
    return { severity: 'problem', text: `${service} does not know the project ${project ?? ''}.`, advice }
  }
  if (/origin (is )?not allowed/i.test(text)) return describeOrigin({ service, project, origin })
  if (status === 403) {
    const advice = 'It may be banned: see npx latchkey serve bans list on the server, or ask its operator.'
    return { severity: 'problem', text: `${service} refuses this machine: ${describeText(status, text)}`, advice }
  }
  const advice = 'Check the project id and the origins that it allows.'
  return { severity: 'problem', text: `${service} refuses the app: ${describeText(status, text)}`, advice }
}

function describeOrigin({ service, project, origin }: Omit<Refusal, 'status' | 'text'>): Finding {
  const named = project === undefined ? '' : ` for the project ${project}`
  if (origin === undefined) {
    const advice =
      'Pass the origin of the app with --origin, such as https://app.example.org, to check if the service accepts it.'
    return { severity: 'warning', text: `${service} accepts only pages of certain origins${named}.`, advice }
  }
  const id = project ?? 'ID'
  const advice = `Add ${origin} to the origins of the project on the server: npx latchkey projects remove ${id}, then npx latchkey projects add --id=${id} with all its origins, ${askOperator}`
  return { severity: 'problem', text: `${service} does not allow the origin ${origin}${named}.`, advice }
}

/** The text comes from a server, and is shown on a terminal, which obeys control characters. */
function describeText(status: number, text: string): string {
  const shown = stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return shown === '' ? String(status) : `${status} ${shown.slice(0, 200)}`
}
