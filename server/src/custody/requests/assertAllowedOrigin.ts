import { Problem } from '../../kit/http/problem.ts'
import type { Projects } from '../../kit/http/projects.ts'

/** @throws Problem 403 `origin` unless the project allows the origin */
export function assertAllowedOrigin(projects: Projects, projectId: string, origin: string): void {
  if (projects.check(projectId, origin) === 'ok') return
  throw new Problem(403, 'origin', 'This origin is not allowed for the project.')
}
