export { fakeModalWorld, type FakeModalWorld } from './fakeModalWorld.ts'
export { pseudo } from '../messages/generated/pseudo.ts'
