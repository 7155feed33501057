// Weights that the engine waits for.
import { asProblem, PlaygroundError } from './problems.js';

/**
 * Fetches a file of weights for a session: what the engine was asked for happens then, or is given up. `act` has the
 * session do something and shows what comes of it; `isHere` says whether it still runs. Rejects with a PlaygroundError.
 */
export async function supplyWeights(lessons, file, { act, isHere }) {
  try {
    const bytes = await lessons.model(file).catch((error) => { throw new PlaygroundError('lesson', asProblem(error).detail); });
    if (isHere()) act((session) => session.provide(bytes));
  } catch (error) {
    if (!isHere()) return;
    lessons.forget(file);
    act((session) => session.giveUp());
    throw error;
  }
}
