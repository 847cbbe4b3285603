import { Problem } from '../../kit/http/problem.ts'
import type { Projects } from '../../kit/http/projects.ts'

/**
 * Checks the origin of an embedding page. Mails and pages of the services name it, so it may contain nothing that the
 * caller chose freely.
 *
 * @returns the text that mails and pages show: the origin, or the entry of the allow-list if it has a wildcard
 * @throws Problem 403 `origin` unless pages of exactly this origin may embed the wallet of the project
 */
export function assertAllowedOrigin(projects: Projects, projectId: string, origin: string): string {
  const shown = projects.findEmbedder(projectId, origin)
  if (shown !== undefined) return shown
  throw new Problem(403, 'origin', 'This origin is not allowed for the project.')
}
