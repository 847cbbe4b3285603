import { Problem } from '../../kit/http/problem.ts'

/** The problem of a login that has expired, was redeemed, or belongs to another frame. */
export function createLoginExpiredProblem(): Problem {
  return new Problem(404, 'id', 'This login has expired. Start again.')
}
