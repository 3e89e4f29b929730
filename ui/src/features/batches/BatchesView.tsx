import './batches.css';
import './review.css';

import { lazy, Suspense } from 'react';

import { apart } from '../../components/lazyWithPreload';
import { useBatches } from '../../workbench/batchPlace';
import { BatchList } from './results/BatchList';

const review = apart(() => import('./review/ReviewView').then((module) => module.ReviewView));
const ReviewView = review.View;
const BatchDetail = lazy(() => import('./results/BatchDetail').then((module) => ({ default: module.BatchDetail })));

/** The view with what shows rows: the two are wanted together. */
export const readied = () => review.load().then(() => BatchesView);

/** All batches, one file on its way, or what became of one. */
export function BatchesView() {
  const { place } = useBatches();
  return (
    <div className="view batches">
      <Suspense fallback={null}>
        {place.at === 'list' && <BatchList />}
        {place.at === 'review' && <ReviewView key={place.id} id={place.id} />}
        {place.at === 'batch' && <BatchDetail key={place.id} id={place.id} />}
      </Suspense>
    </div>
  );
}
