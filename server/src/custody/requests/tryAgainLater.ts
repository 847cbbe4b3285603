import { Problem } from '../../kit/http/problem.ts'

/** Returns the problem 429 of a limit, with the seconds to wait. [R8.2.10] */
export function tryAgainLater(field: string, seconds: number): Problem {
  return new Problem(429, field, `Please try again after ${seconds} seconds`, { retryAfter: seconds })
}
