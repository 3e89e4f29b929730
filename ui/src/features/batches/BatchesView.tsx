import { lazyNamed } from '../../components';
import './batches.css';
import './review.css';

import { Suspense } from 'react';

import { lazyWithPreload } from '../../components/lazyWithPreload';
import { useBatchPlace } from '../../workbench/batchPlace';
import { BatchList } from './results/BatchList';

const review = lazyWithPreload(() => import('./review/ReviewView').then((module) => module.ReviewView));
const ReviewView = review.View;
const BatchDetail = lazyNamed(() => import('./results/BatchDetail'), 'BatchDetail');

/** The view with what shows rows: the two are wanted together. */
export const loadBatchesView = () => review.preload().then(() => BatchesView);

/** All batches, one file in review, or the results of one batch. */
export function BatchesView() {
  const { place } = useBatchPlace();
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
