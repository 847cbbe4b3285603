import type { EndpointPool } from './endpointPool.ts'

/** A node said that it cannot answer a question, or answered another one. */
class ChainRefused extends Error {
  override readonly name: string = 'ChainRefused'
}

/** One question of JSON-RPC. */
export type Question = readonly [method: string, params: readonly unknown[]]

/** Asks the nodes of one chain. */
export type ChainRpc = {
  /**
   * @returns the result of each question, in their order
   * @throws ChainRefused when one is answered with an error; NoEndpoint when no node answers
   */
  ask(questions: readonly Question[]): Promise<readonly unknown[]>
  /** The same, with undefined in place of what was answered with an error. */
  tryAll(questions: readonly Question[]): Promise<readonly unknown[]>
}

/** Makes the asking side of a chain's endpoints. */
export function createChainRpc(pool: EndpointPool): ChainRpc {
  async function answersOf(questions: readonly Question[]): Promise<readonly unknown[]> {
    if (questions.length === 0) return []
    const batch = questions.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const answers = await pool.ask(batch)
    if (!Array.isArray(answers)) throw new ChainRefused('The chain did not answer a batch with a batch.')
    // Nodes may answer a batch in any order.
    const byId = new Map(answers.map((answer: unknown) => [field(answer, 'id'), answer]))
    return batch.map(({ id }) => byId.get(id))
  }

  return {
    async ask(questions) {
      const answers = await answersOf(questions)
      return answers.map((answer, index) => {
        const result = field(answer, 'result')
        if (result !== undefined) return result
        const reason = field(field(answer, 'error'), 'message')
        throw new ChainRefused(`${questions[index]?.[0] ?? ''}: ${typeof reason === 'string' ? reason : 'no answer'}`)
      })
    },
    tryAll: async (questions) => (await answersOf(questions)).map((answer) => field(answer, 'result')),
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
