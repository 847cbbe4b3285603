import { describeHistoryStore } from '../../testing/history/describeHistoryStore.ts'
import { createPostgresHistory } from './createPostgresHistory.ts'

describeHistoryStore('PostgreSQL', async (database) => ({
  history: createPostgresHistory(database),
  close: async () => undefined,
}))
